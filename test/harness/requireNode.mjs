/** Stops with a sentence a person can act on when Node is too old; imported first, so it runs before anything else. */
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Plimsoll needs Node 20 or later; this is Node ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(1);
}
