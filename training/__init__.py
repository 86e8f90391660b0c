"""Learning and evaluation on the batch engine."""

import os

# Threads of PyTorch that wait by spinning steal the cores that the engine and the compiled loops
# work on; on a busy machine that made a run thirty times slower. It must be set before torch loads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
