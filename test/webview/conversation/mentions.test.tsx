// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type {
  AttachedItem,
  CommandChoice,
  MentionChoice,
} from '../../../src/editor/composer/state';
import { conversation, turn } from './conversations';
import { dropped } from './dropping';
import { drawAgent, plain, type DrawnAgent } from './drawAgent';

const CHOICES: readonly MentionChoice[] = [
  { mention: { type: 'selection' }, label: 'selection', detail: 'src/a.js:3-9' },
  { mention: { type: 'file', path: 'src/a.js' }, label: 'a.js', detail: 'src' },
  { mention: { type: 'folder', path: 'src' }, label: 'src/', detail: '' },
];

const ITEMS: readonly AttachedItem[] = [
  { id: 3, kind: 'file', name: 'src/a.js', tokens: 1_234 },
  { id: 4, kind: 'page', name: 'https://example.com/' },
];

const field = (agent: DrawnAgent) => agent.get('composer') as HTMLTextAreaElement;

/** A composer that contains text, with the caret at its end. */
function typing(text: string): DrawnAgent {
  const agent = drawAgent(conversation());
  field(agent).focus();
  agent.type(text);
  return agent;
}

/** The list at an @, with the host's answer. */
function mentioning(text = 'Look at @a'): DrawnAgent {
  const agent = typing(text);
  agent.answer({ type: 'answered', data: CHOICES });
  return agent;
}

const rows = (agent: DrawnAgent) =>
  agent.all('composer-choice').map(({ textContent }) => plain(textContent!));
const active = (agent: DrawnAgent) =>
  agent.all('composer-choice').findIndex((row) => row.getAttribute('aria-selected') === 'true');

describe('@ in the composer', () => {
  it('asks the host for matches, and lists them', () => {
    const agent = mentioning();
    expect(agent.wishes).toEqual([{ type: 'findMentions', query: 'a' }]);
    expect(rows(agent)).toEqual(['selectionsrc/a.js:3-9', 'a.jssrc', 'src/']);
  });

  it('is a list box that the field references together with its active choice', () => {
    const agent = mentioning();
    const list = agent.get('composer-list');
    expect([list.role, list.getAttribute('aria-label')]).toEqual(['listbox', 'Mentions']);
    expect(field(agent).getAttribute('aria-controls')).toBe(list.id);
    agent.press('ArrowDown');
    const named = field(agent).getAttribute('aria-activedescendant');
    expect(document.getElementById(named!)?.textContent).toContain('a.js');
    expect(document.activeElement).toBe(field(agent));
  });

  it('moves with the arrow keys, around its ends', () => {
    const agent = mentioning();
    const seen = ['ArrowUp', 'ArrowDown', 'ArrowDown'].map((key) => {
      expect(agent.press(key)).toBe(true);
      return active(agent);
    });
    expect(seen).toEqual([2, 0, 1]);
  });

  it.each(['Enter', 'Tab'])(
    '%s takes the active choice, and its name stays in the sentence',
    (key) => {
      const agent = mentioning();
      agent.press('ArrowDown');
      expect(agent.press(key)).toBe(true);
      const { mention } = CHOICES[1]!;
      expect(agent.wishes.at(-1)).toEqual({ type: 'attach', mention });
      expect(field(agent).value).toBe('Look at @a.js ');
      expect(agent.all('composer-list')).toEqual([]);
    },
  );

  it('names each mention in a sentence with several, and sends the sentence', () => {
    const agent = mentioning();
    agent.press('ArrowDown');
    agent.press('Enter');
    agent.type('Look at @a.js and @s');
    agent.answer({ type: 'answered', data: CHOICES });
    agent.press('ArrowUp');
    agent.press('Enter');
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toEqual({
      type: 'submitPrompt',
      text: 'Look at @a.js and @src/',
    });
  });

  it('Escape closes it, and Enter sends again', () => {
    const agent = mentioning();
    expect(agent.press('Escape')).toBe(true);
    expect(agent.all('composer-list')).toEqual([]);
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toEqual({ type: 'submitPrompt', text: 'Look at @a' });
  });

  it('closes when the word ends, and drops a late answer', () => {
    const agent = typing('@a');
    const late = agent.posts.at(-1)!;
    agent.type('@ab');
    agent.answer({ type: 'answered', data: CHOICES }, late);
    expect(agent.all('composer-list')).toEqual([]);
    agent.answer({ type: 'answered', data: CHOICES });
    expect(rows(agent).length).toBe(3);
    agent.type('@ab and');
    expect(agent.all('composer-list')).toEqual([]);
    const { length } = agent.wishes;
    agent.type('me@host');
    expect(agent.wishes.length).toBe(length);
  });

  it('shows nothing without matches, so that Enter sends', () => {
    const agent = typing('@zzz');
    agent.answer({ type: 'answered', data: [] });
    expect(agent.all('composer-list')).toEqual([]);
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toEqual({ type: 'submitPrompt', text: '@zzz' });
  });
});

describe('/ in the composer', () => {
  it('lists the matching commands with what they do, and runs one', () => {
    const agent = typing('/se');
    expect(rows(agent)[0]).toBe('/sessionsList the sessions');
    expect(rows(agent)).toContain('/newStart a new session');
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toEqual({ type: 'runCommand', command: 'sessions' });
    expect(field(agent).value).toBe('');
  });

  it('lists all commands at first, and none for a path or in a sentence', () => {
    expect(rows(typing('/')).length).toBe(15);
    for (const text of ['/etc/hosts', 'and /se', '/se x']) expect(rows(typing(text))).toEqual([]);
  });

  const CUSTOM: readonly CommandChoice[] = [
    { name: 'frontend:test', hint: '[file]', detail: 'Test the frontend' },
    { name: 'ship-it', hint: '', detail: '.claude/commands/ship-it.md' },
  ];

  it('lists custom commands after those of Plimsoll, found by any part of their name', () => {
    const agent = typing('/');
    agent.press('ArrowDown');
    agent.answer({ type: 'answered', data: CUSTOM });
    expect(rows(agent).slice(-2)).toEqual([
      '/frontend:test [file]Test the frontend',
      '/ship-it.claude/commands/ship-it.md',
    ]);
    expect(active(agent)).toBe(1);
    agent.type('/te');
    agent.answer({ type: 'answered', data: CUSTOM });
    expect(rows(agent)).toContain('/frontend:test [file]Test the frontend');
    expect(rows(agent)).not.toContain('/ship-it.claude/commands/ship-it.md');
  });

  it('puts a custom command into the prompt, which is sent as it was typed', () => {
    const agent = typing('/ship-');
    expect(rows(agent)).toEqual([]);
    agent.answer({ type: 'answered', data: CUSTOM });
    agent.press('Enter');
    expect(field(agent).value).toBe('/ship-it ');
    agent.type('/ship-it now');
    agent.press('Enter');
    expect(agent.wishes.at(-1)).toEqual({ type: 'submitPrompt', text: '/ship-it now' });
  });
});

describe('the attachments of a prompt', () => {
  it('are chips with their kind and estimated tokens', () => {
    const agent = drawAgent(conversation({ attached: { items: ITEMS } }));
    const [file, page] = agent.all('attached-item');
    expect(plain(file!.textContent!)).toBe('src/a.js≈ 1,234 tokens');
    expect(file!.title).toContain('as it was when you added it');
    expect(plain(page!.textContent!)).toBe('https://example.com/…');
    expect(agent.all('attached-warning')).toEqual([]);
  });

  it('are removed with a named button, and the focus returns to the composer', () => {
    const agent = drawAgent(conversation({ attached: { items: ITEMS } }));
    const [button] = agent.all('attached-remove');
    expect(button!.getAttribute('aria-label')).toBe('Remove src/a.js');
    agent.click(button!);
    expect(agent.wishes).toEqual([{ type: 'detach', id: 3 }]);
    expect(document.activeElement).toBe(field(agent));
  });

  it('warn if the window with them would cross the high watermark', () => {
    const agent = drawAgent(conversation({ attached: { items: ITEMS, crosses: true } }));
    expect(agent.text('attached-warning')).toBe(
      'These attachments take the window over the high watermark, so a pass will follow.',
    );
    expect(agent.get('attached-warning').getAttribute('role')).toBe('status');
  });

  it('are sent as the user saw them', () => {
    const agent = drawAgent(conversation({ attached: { items: ITEMS } }));
    agent.type('Look');
    agent.click('send');
    expect(agent.wishes).toEqual([{ type: 'submitPrompt', text: 'Look', attached: [3, 4] }]);
  });

  it('are named below prompts that were sent, also while the agent worked, or that are queued', () => {
    const agent = drawAgent(
      conversation({
        turns: [
          turn({
            attached: ['src/a.js', 'problems'],
            items: [{ type: 'said', number: 1, text: 'And this', attached: ['src/b.js'] }],
          }),
        ],
        queued: [{ id: 1, text: 'Next', attached: ['a', 'b'] }],
      }),
    );
    expect(agent.all('attached-names').map(({ textContent }) => textContent)).toEqual([
      'With src/a.js, problems',
      'With src/b.js',
    ]);
    expect(agent.text('queued-beside')).toBe('+2');
  });
});

describe('files dropped or pasted in the composer', () => {
  const notes = new File(['Moor at six.'], 'notes.txt', { type: 'text/plain' });

  it.each(['drop', 'paste'] as const)('(%s) become a text attachment', async (how) => {
    const agent = drawAgent(conversation());
    expect(await dropped(agent, { files: [notes] }, how)).toBe(true);
    expect(agent.wishes).toEqual([{ type: 'attachText', name: 'notes.txt', text: 'Moor at six.' }]);
  });

  it('become an image or PDF attachment', async () => {
    const agent = drawAgent(conversation());
    const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256);
    await dropped(
      agent,
      { files: [new File([bytes], 'mast.png', { type: 'image/png' })] },
      'paste',
    );
    await dropped(agent, { files: [new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' })] });
    expect(agent.wishes).toEqual([
      { type: 'attachMedia', name: 'mast.png', data: Buffer.from(bytes).toString('base64') },
      { type: 'attachMedia', name: 'a.pdf', data: 'JVBERi0=' },
    ]);
  });

  it('are refused with a reason if they are not text or too large; the others are attached', async () => {
    const agent = drawAgent(conversation());
    const files = [
      new File(['x'.repeat(3_932_161)], 'photo.png', { type: 'image/png' }),
      new File([new Uint8Array([0xff, 0xfe, 0])], 'core'),
      new File(['x'.repeat(4_000_001)], 'huge.log'),
      notes,
    ];
    await dropped(agent, { files });
    expect(agent.wishes.map(({ type }) => type)).toEqual(['attachText']);
    expect(agent.text('refusal')).toContain(
      'photo.png is larger than 3.9 MB. ' +
        'core is not a text file or cannot be read. huge.log is larger than 4 MB.',
    );
  });

  it('are sent as URIs if they come from the explorer', async () => {
    const agent = drawAgent(conversation());
    const list = 'file:///work/a.js\r\nfile:///work/src\r\nhttps://example.com/';
    const dragged = { lists: { 'application/vnd.code.uri-list': list } };
    expect(await dropped(agent, dragged, 'dragover')).toBe(true);
    expect(await dropped(agent, dragged)).toBe(true);
    expect(agent.wishes).toEqual([
      { type: 'attachDropped', uris: ['file:///work/a.js', 'file:///work/src'] },
    ]);
  });

  it('are left to the field if they are plain text', async () => {
    const agent = drawAgent(conversation());
    for (const how of ['paste', 'dragover', 'drop'] as const) {
      expect(await dropped(agent, { lists: { 'text/plain': 'words' } }, how)).toBe(false);
    }
    expect(agent.wishes).toEqual([]);
  });
});

describe('what is open in the editor', () => {
  const offered = { mention: { type: 'selection' }, name: 'src/a.ts:3-9' } as const;

  it('is offered quietly, and attached by one click', () => {
    const agent = drawAgent(conversation({ offered }));
    expect([agent.text('attached-offer'), agent.all('attached-item')]).toEqual([
      'src/a.ts:3-9',
      [],
    ]);
    agent.click('attached-offer');
    expect(agent.wishes).toEqual([{ type: 'attach', mention: { type: 'selection' } }]);
    expect(document.activeElement).toBe(agent.get('composer'));
  });

  it('stays offered beside other attachments, and takes no room if there is nothing', () => {
    const both = drawAgent(conversation({ offered, attached: { items: ITEMS } }));
    expect([both.all('attached-item').length, both.all('attached-offer').length]).toEqual([
      ITEMS.length,
      1,
    ]);
    expect(drawAgent(conversation()).all('attached')).toEqual([]);
  });
});
