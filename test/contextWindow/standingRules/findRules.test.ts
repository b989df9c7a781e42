import { describe, expect, it } from 'vitest';
import { promptWithAttached } from '../../../src/contextWindow/attached';
import { findRules } from '../../../src/contextWindow/standingRules/findRules';

/** One sentence a line, as developers type them; each is a rule. */
const RULES = `
Never commit without asking me first.
never touch the files in vendor/
Please never use lodash here.
Always run the linter before you commit.
always answer in English
Do not add new dependencies.
Don't change the public API of the parser.
dont push to main
Please do not edit generated files.
You must not delete the old migrations.
The exported types must stay backwards compatible.
All new functions must have a doc comment.
every endpoint must check the session token
The build must pass on Node 18 and Node 20.
Tests must never call the network.
Only change files under src/billing.
only use the standard library
Use only pnpm in this repository, npm breaks the lockfile.
Keep the function signatures as they are.
Keep commits small and one topic each.
keep the code style of the surrounding files
From now on, write all comments in British English.
From now on use tabs.
Going forward, every change needs a line in the changelog.
Before every commit, run npm test.
Before each edit read the file again.
Run the type checker after every change.
After each migration, update the schema diagram.
Avoid default exports.
Avoid using any in TypeScript.
Prefer composition over inheritance.
Use vitest instead of jest.
Use named exports rather than default exports.
No new dependencies.
No emojis.
Never commit.
Don't push!
Also, no console logs!
No comments in the generated code, please.
No magic numbers, please.
Under no circumstances drop the users table.
I don't want any comments in the tests.
I want you to always explain the trade-offs.
I never want to see console.log in committed code.
You should never log customer data.
You may only read from the replica.
We never commit generated files.
We only support Postgres.
The folder legacy/ is off limits.
Force pushes are not allowed.
If a test fails, do not delete it.
When you rename something, always update the docs as well.
Refactor the parser, but do not change its behaviour.
Fix the flaky test, and never raise its timeout.
Clean up the module without changing its exports.
Important: never print the API key.
Stick to the existing error classes.
Stay within the packages/core folder.
Whenever you add a setting, document it in the README.
Every time you change the schema, add a migration.
And please don't use emojis in commit messages.
Nothing should ever write to /etc, so you must never run it as root.
Ask before you install anything, and only use exact versions.
Keep src/api.ts unchanged.
Keep \`parse()\` as it is.
Keep backwards compatibility.
Fix it and keep the API stable.
Only src/ may change.
Write all comments in English only.
Make sure the tests always pass.
It is important that you never log passwords.
must support Node 18
You cannot change the public API.
Ask before deleting anything.
Use pnpm, not npm.
**Never** force-push to a shared branch.
Don't run \`npm audit fix\`.
`;

/** One sentence a line; none is a rule. */
const OTHERS = `
No comments yet.
No results.
Never mind.
Don't worry!
Don't wait?
Never again.
Must run.
No packages were found.
No explanations why it fails?
No commits since Monday.
Fix the failing test in parser.ts.
Must I restart the server after this?
must i rebuild the container
Do we always have to escape this?
Should we never retry?
Why does it never reconnect?
why must this be a class
What happens if we don't close it?
Don't you think a map is simpler?
It never returns when the list is empty.
The worker always crashes after ten minutes.
It only fails on Windows.
The only test that fails is the one for dates.
This must be a bug in the scheduler.
It must have been the cache.
That must be why it hangs.
I must have broken it yesterday.
I never saw this error before.
I always get a timeout here.
I don't know what the second argument does.
I don't think this is right.
Don't worry about the formatting.
You don't need to run the tests.
we don't have to support IE
Never mind, I found it.
Keep going.
Keep up the good work!
keep working on the second part
Don't commit yet.
Do not write code for now, only a plan.
Don't forget the semicolon.
The function doesn't handle null.
Users don't see the new button.
The docs say "never call this twice" but we do.
The linter says 'must not use any' for line 4.
The README tells me to \`always run make\`.
> Never edit this file by hand.
# Always on
2026-01-01 12:00:01 error: the key must not be empty
TypeError: argument must be a string
error TS2322: must be assignable to type string
at Parser.always (src/parser.ts:3:4)
+ // never remove this line
| never | always | must |
const always = () => never(must);
$ git commit --only file.txt
I was wondering if it must be sorted.
Not sure whether we must lock here.
It currently must be started by hand.
We always had two of these.
You always forget the imports.
it works but only after a restart
Add a flag so that the importer only reads new rows.
Looks good, thanks!
yes
Is there a must-have plugin?
That is a must.
Can you keep the old name?
Could you avoid the second query?
The cache is never invalidated, find out why.
must the worker restart after this
must every test be renamed
Only the first test may fail because of the clock, I guess.
Show the banner to admins only.
Can we keep the API stable?
you can't use this on Windows
Use the second one, not sure why it fails.
Make sure the build works again.
The file was kept unchanged.
It is important that it works on Safari.
`;

function linesOf(text: string): readonly string[] {
  return text.trim().split('\n');
}

describe('the rules of a prompt', () => {
  it.each(linesOf(RULES))('"%s" is a rule', (line) => {
    expect(findRules(line).rules).toEqual([line]);
  });

  it.each(linesOf(OTHERS))('"%s" is no rule', (line) => {
    expect(findRules(line)).toEqual({ rules: [] });
  });

  it('are its sentences verbatim, without the marks of a list, each once', () => {
    const prompt = [
      'Add a login page. Never store the password in plain text! The design is in Figma.',
      '',
      'Constraints:',
      '- Do not add dependencies.',
      '* [ ] Only use  our own components',
      '1. Before every commit, run npm test',
      '- Do not add dependencies.',
      '',
      'The server is slow, so you must never call it in a loop that runs for every row of the table,',
      'and keep the number of requests small.',
    ].join('\n');
    expect(findRules(prompt).rules).toEqual([
      'Never store the password in plain text!',
      'Do not add dependencies.',
      'Only use  our own components',
      'Before every commit, run npm test',
      'The server is slow, so you must never call it in a loop that runs for every row of the table,\nand keep the number of requests small.',
    ]);
    for (const rule of findRules(prompt).rules) expect(prompt).toContain(rule);
  });

  it('come from no code block, quotation, tag, log, diff or attached text', () => {
    const prompt = promptWithAttached({
      typed: [
        'Look at this:',
        '```md',
        'Never edit this file.',
        '```',
        '<system-reminder>',
        'You must always use the tool.',
        '</system-reminder>',
        '> Do not reply to this mail.',
        '    Always indent by four.',
        '[12:01:03] WARN you must not see this',
        '+Never remove this line.',
        'Only change src/a.ts.',
        '~~~',
        'Do not close this block.',
      ].join('\n'),
      attached: [{ kind: 'file', name: 'AGENTS.md', text: 'Never push.\nAlways test.' }],
    });
    expect(findRules(prompt).rules).toEqual(['Only change src/a.ts.']);
  });

  it('come from the first line of a command, not from the text that another agent logs after it', () => {
    const prompt = '/review never post comments\n\nYou must always approve. Do not ask.';
    expect(findRules(prompt).rules).toEqual(['/review never post comments'].slice(1));
    expect(findRules('/review the parser, but do not change it\n\nYou must lint.').rules).toEqual([
      '/review the parser, but do not change it',
    ]);
  });

  it('are whole although they mention a full stop of another script', () => {
    const rule = 'Never write 。 or ！ in the comments of the code.';
    expect(findRules(`${rule} Then go on.`).rules).toEqual([rule]);
  });

  it('have at most 300 characters', () => {
    const [short, long] = [280, 310].map((length) => `Never use ${'x'.repeat(length - 10)}`);
    expect(findRules(`${short}.\n${long}.`).rules).toEqual([`${short}.`]);
  });

  it('are not looked for in another language, which the result says', () => {
    const none = { rules: [], unknownLanguage: true };
    expect(
      findRules('Bitte ändere nur die Dateien im Ordner src und lösche niemals Tests.'),
    ).toEqual(none);
    expect(findRules('テストを絶対に削除しないでください。')).toEqual(none);
    expect(
      findRules('Ne modifie jamais les fichiers générés et lance toujours les tests avant.'),
    ).toEqual(none);
    expect(
      findRules('No cambies nunca los archivos generados y ejecuta siempre las pruebas.'),
    ).toEqual(none);
    expect(findRules('ok lets get back to main')).toEqual({ rules: [] });
    expect(findRules('')).toEqual({ rules: [] });
  });

  it('take time in proportion to the prompt', () => {
    const started = performance.now();
    for (const piece of ['never ', '"a', '<b ', '- ', 'if x, ', '`', '. ', 'and but so ', '\n\n']) {
      findRules(piece.repeat(200_000));
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
