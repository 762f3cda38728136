"""nearprint_peer.py PROGRAM IN OUT: the rows that `nearprint dedup` keeps."""

import subprocess
import sys

program, source, out = sys.argv[1:]
command = [program, "dedup", "--force", "--write", out, "--read", "text=text", "--read", "id=id", "-qq", source]
sys.exit(subprocess.run(command, check=False).returncode)
