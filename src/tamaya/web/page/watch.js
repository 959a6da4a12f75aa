/** Watching agents: the form for a table without people. */

import { openForm } from "./setup.js";

/** @type {Open} */
export const open = (root, _, app) => openForm(root, app, true);
