/**
 * Stops with a clear message when Node is too old; imported first, so that it runs before
 * everything else.
 */
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Plimsoll needs Node 20 or later; this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(1);
}
