/** Styles are collected by esbuild into one file per view; importing them has no value. */
declare module '*.css';
