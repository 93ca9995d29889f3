// A worker with the core, and its tasks as promises. A worker that is stopped or crashes is replaced.

class Stopped extends Error {}

// `core` has what a worker needs: {module, plans, bytes}. onProgress gets {step, total, states}.
function makeClient(source, core, onProgress) {
  let worker = null, waiting = null, number = 0;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));

  function end(error) {
    worker?.terminate();
    worker = null;
    const { reject } = waiting ?? {};
    waiting = null;
    reject?.(error);
  }
  function begin() {
    worker = new Worker(url);
    worker.onmessage = ({ data }) => {
      if (data.id !== waiting?.id) return;
      if (data.progress) { onProgress(data.progress); return; }
      if ("answer" in data) {
        const { resolve } = waiting;
        waiting = null;
        resolve(data.answer);
      } else if (data.failed) {
        const { reject } = waiting;
        waiting = null;
        reject(new BadField(data.failed));
      } else end(new Error(data.crash));
    };
    worker.onerror = (event) => { event.preventDefault(); end(new Error(event.message || "the worker failed")); };
  }
  return {
    isBusy: () => waiting !== null,
    // Whether the worker has what earlier tasks prepared.
    isAlive: () => worker !== null,
    // Also before a long task: the memory of a module never shrinks.
    renew: () => end(new Stopped()),
    ask(task, given = {}) {
      if (waiting) end(new Stopped());
      const isNew = worker === null;
      if (isNew) begin();
      number += 1;
      return new Promise((resolve, reject) => {
        waiting = { id: number, resolve, reject };
        worker.postMessage({ id: number, task, ...given, ...(isNew ? { core } : {}) });
      });
    },
  };
}
