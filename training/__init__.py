"""How the shipped verifier is made: pairs from judged answers, made errors, fine-tuning, export."""
