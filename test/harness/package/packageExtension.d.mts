/** Builds for production and packs that into `file`, a VSIX; returns the packages in the bundles, as folders. */
export function packageExtension(file: string): Promise<readonly string[]>;
