/**
 * Builds for production and packs the result into `file`, a VSIX; returns the folders of the
 * bundled packages.
 */
export function packageExtension(file: string): Promise<readonly string[]>;
