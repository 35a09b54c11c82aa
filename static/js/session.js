// A session page, module by module; each says what it does.

import "./session/folds.js";
import { follow } from "./session/reader.js";
import { connect } from "./session/socket.js";

follow();
connect();
