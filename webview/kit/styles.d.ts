/** esbuild collects styles into one file per page; their import has no value. */
declare module '*.css';
