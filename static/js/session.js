// A session page, module by module; each says what it does.

import "./opening.js";
import "./session/folds.js";
import "./session/batches.js";
import "./session/find.js";
import "./session/menu.js";
import "./session/rounds.js";
import { start } from "./session/cursor.js";
import { follow } from "./session/reader.js";
import { connect } from "./session/socket.js";

follow();
start();
connect();
