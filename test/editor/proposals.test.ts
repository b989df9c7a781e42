import * as vscode from 'vscode';
import { Proposals } from '../../src/host/proposals';
import { EditorWindow } from './support/editorWindow';
import { stays } from './support/until';

const EDIT = { kind: 'edit', path: 'package.json', before: '{}', after: '{ "a": 1 }' } as const;

const diffs = () =>
  vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff);

describe('the diff of a proposal', function () {
  this.timeout(60_000);

  before(async () => {
    await (await EditorWindow.connected()).clear();
  });

  it('is closed even when the answer comes while it opens', async () => {
    const proposals = new Proposals(() => vscode.ViewColumn.One);
    const root = vscode.workspace.workspaceFolders![0]!.uri;
    proposals.add('toolu_race', EDIT, root);
    const opened = proposals.open('toolu_race');
    const closed = proposals.close('toolu_race');
    await Promise.all([opened, closed]);
    await stays('no diff is open', () => diffs().length === 0);
  });
});
