"""Whether the evidence holds a sentence: P(supported), learned from people's judgements."""
