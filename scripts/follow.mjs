// Loaded into a child of run.mjs: asks it to stop when run.mjs is gone without having been able to say so.
const launcher = process.ppid;
setInterval(() => {
  if (process.ppid !== launcher) process.kill(process.pid, 'SIGTERM');
}, 500).unref();
