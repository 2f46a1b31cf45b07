// Loaded by Node before a program in commands that may not write the workspace (NODE_OPTIONS). What TypeScript keeps of a build
// for the next one lies beside the sources, and no variable names another place: where it can't be written it goes to the
// temporary folder, and is read from there again.
"use strict";
const fs = require("node:fs");

const { openSync, readFileSync } = fs;
const isRefused = (error) => ["EACCES", "EPERM", "EROFS"].includes(error.code);
const isMeant = (path) => typeof path === "string" && path.endsWith(".tsbuildinfo");

function elsewhere(path) {
  const hash = require("node:crypto").createHash("sha256").update(require("node:path").resolve(path)).digest("hex");
  return require("node:path").join(require("node:os").tmpdir(), `${hash}.tsbuildinfo`);
}

fs.openSync = function (path, ...rest) {
  try {
    return openSync.call(this, path, ...rest);
  } catch (error) {
    if (!isMeant(path) || !isRefused(error)) throw error;
    return openSync.call(this, elsewhere(path), ...rest);
  }
};

fs.readFileSync = function (path, ...rest) {
  const other = isMeant(path) && elsewhere(path);
  return readFileSync.call(this, other && fs.existsSync(other) ? other : path, ...rest);
};
