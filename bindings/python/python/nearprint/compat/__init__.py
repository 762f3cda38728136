"""The functions of other packages over nearprint's engine, for programs that move: `nearprint.compat.simhash`."""
