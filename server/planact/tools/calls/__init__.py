"""The stations of a call in the gate: decode, judge, ask, run, and the values that they hand on."""
