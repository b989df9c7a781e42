/** What the suites of one run have reported so far. */
export const outcome = { passed: 0, failures: [] };

let currentSuite = '';
let quiet = false;

/** Turns the trace lines off. */
export function setQuiet(value) {
  quiet = value;
}

/** Prints one trace line under the current suite. */
export function trace(line) {
  if (!quiet) console.log(`    . ${line}`);
}

/** Opens a suite; its checks run at once. */
export function suite(name, define) {
  currentSuite = name;
  console.log(`\nsuite ${name}`);
  define();
}

/** Runs one check and prints how it went; a failure does not end the run. */
export function check(name, run) {
  try {
    run();
    outcome.passed += 1;
    console.log(`  ok      ${name}`);
  } catch (error) {
    outcome.failures.push({ suite: currentSuite, name, message: error.message });
    console.log(`  FAILED  ${name}`);
    console.log(indent(error.message, '          '));
  }
}

/** Fails unless both values look the same when written as JSON. */
export function same(actual, expected, what = 'value') {
  const got = JSON.stringify(actual);
  const wanted = JSON.stringify(expected);
  if (got !== wanted) throw new Error(`${what}: got ${got}, expected ${wanted}`);
}

/** Fails unless the condition holds. */
export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

/** Fails unless the function throws an error whose message contains the text. */
export function throws(run, text) {
  let message;
  try {
    run();
  } catch (error) {
    message = error.message;
  }
  if (message === undefined) throw new Error(`did not throw, expected "${text}"`);
  if (!message.includes(text)) throw new Error(`threw "${message}", expected "${text}"`);
}

/** Indents every line of a text. */
export function indent(text, by) {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
