import * as vscode from 'vscode';
import { serverName } from '../../model/serverAbilities';
import {
  FEATURE_NAMES,
  ANTHROPIC_KIND,
  OTHER_KIND,
  SERVER_KINDS,
  type ServerKind,
} from '../../model/serverKinds';
import { isAddress } from '../../settings/settings';
import type { Services } from '../services';
import { originOf } from './connection';

/** A row of the list of servers; the one without a server checks the current one again. */
interface ServerRow extends vscode.QuickPickItem {
  readonly server?: ServerKind;
}

/** Lets the user choose the server: a kind, then its address. */
export class ServerPicker {
  constructor(private readonly services: Services) {}

  /** Stores the chosen server; returns its kind, undefined if the server stays as it is. */
  async choose(): Promise<ServerKind | undefined> {
    const { access } = this.services;
    const { compatible } = access;
    const picked = await vscode.window.showQuickPick<ServerRow>(this.#rows(), {
      title: 'Plimsoll: Choose the Server',
      placeHolder: 'Requests and your key go to this server only',
      matchOnDetail: true,
    });
    if (picked === undefined) return undefined;
    const { server: kind } = picked;
    if (kind === undefined) {
      compatible?.forget();
      access.connection.reopen();
      void vscode.window.showInformationMessage(
        `Plimsoll: ${compatible?.name} is checked again with the next request.`,
      );
      return undefined;
    }
    const address = kind.id === ANTHROPIC_KIND ? '' : await this.#askAddress(kind);
    if (address === undefined) return undefined;
    const { configuration, notices, learned } = this.services;
    const why = await configuration.storeSetting('plimsoll.baseUrl', address);
    if (why !== undefined) {
      notices.warn(`The server was not changed: plimsoll.baseUrl could not be stored. ${why}`);
      return undefined;
    }
    if (address !== '') learned.choose(serverName(address), kind.id);
    if (kind.key === 'none') await this.services.apiKey.useWithoutKey(originOf(address));
    await access.refresh();
    return kind;
  }

  #rows(): readonly ServerRow[] {
    const { compatible, baseUrl } = this.services.access;
    const current = baseUrl === '' ? ANTHROPIC_KIND : (compatible?.kind?.id ?? OTHER_KIND);
    const rows = SERVER_KINDS.map((kind): ServerRow => {
      const isCurrent = kind.id === current;
      const lacks = kind.lacks.map((feature) => `no ${FEATURE_NAMES[feature]}`).join(', ');
      return {
        server: kind,
        label: `${isCurrent ? '$(check) ' : ''}${kind.name}`,
        description: isCurrent ? baseUrl : kind.address,
        ...(lacks === '' ? {} : { detail: lacks }),
      };
    });
    if (compatible === undefined) return rows;
    return [
      ...rows,
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      {
        label: `Check ${compatible.name} again`,
        detail: 'Forgets what it refused and whether its counts agree',
      },
    ];
  }

  #askAddress(kind: ServerKind): Thenable<string | undefined> {
    const { compatible, baseUrl } = this.services.access;
    const isCurrent = compatible !== undefined && (compatible.kind?.id ?? OTHER_KIND) === kind.id;
    return vscode.window
      .showInputBox({
        title: `Plimsoll: Address of ${kind.name}`,
        prompt: 'Stored as plimsoll.baseUrl.',
        placeHolder: 'https://gateway.example.com',
        value: isCurrent ? baseUrl : kind.address,
        ignoreFocusOut: true,
        validateInput: (text) =>
          text.trim() !== '' && isAddress(text.trim())
            ? undefined
            : 'Enter an address that begins with https://, or with http:// for a server on this computer.',
      })
      .then((address) => address?.trim());
  }
}
