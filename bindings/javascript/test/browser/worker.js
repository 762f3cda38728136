// Runs all vectors in a worker, which has no DOM.

import { runVectors } from "./vectors.js";

postMessage(await runVectors().catch((error) => ({ cases: 0, failures: [String(error)] })));
