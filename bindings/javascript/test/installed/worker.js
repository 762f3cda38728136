// A user's worker: workers know no import maps, so it names the file.

import { fingerprint } from "./node_modules/nearprint/src/index.js";

postMessage(String(fingerprint("Fog came in at noon")));
