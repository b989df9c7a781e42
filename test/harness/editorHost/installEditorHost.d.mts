/** The paths of the parts of the editor host. */
export interface EditorHost {
  readonly folder: string;
  readonly node: string;
  readonly serverMain: string;
  readonly packages: string;
}

export function installEditorHost(say: (line: string) => void): Promise<EditorHost>;
