"""Small published hallucination checks to measure ours against, each in a virtual environment of its own."""
