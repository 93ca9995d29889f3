// Runs tasks of the studio in Node: node studio_core.js STUDIO SCRIPT..., with a list of tasks as JSON on standard input, and the
// list of answers on standard output. A task that fails has the answer {"failed": "..."}.
"use strict";
const { readFileSync } = require("fs");
const { gunzipSync } = require("zlib");

const [studio, ...files] = process.argv.slice(2);
const unpacked = (name) => gunzipSync(readFileSync(`${studio}/${name}`));
const scripts = files.map((file) => readFileSync(file, "utf8")).join("\n");

async function main() {
  const { makeTasks, BadField, EMPTY } = new Function(`${scripts}; return { makeTasks, BadField, EMPTY };`)();
  const plans = JSON.parse(unpacked("plans.json.gz"));
  const given = JSON.parse(readFileSync(0, "utf8"));
  const module = await WebAssembly.compile(unpacked("core.wasm.gz"));
  const tasks = await makeTasks({ module, plans, bytes: given.bytes ?? 1.8e9 }, () => {});
  const answers = given.tasks.map(({ task, fields, ...rest }) => {
    try {
      return tasks[task]({ ...rest, fields: { ...EMPTY, ...fields } });
    } catch (error) {
      return { failed: error instanceof BadField ? error.message : `crash: ${error}` };
    }
  });
  process.stdout.write(JSON.stringify(answers));
}

main();
