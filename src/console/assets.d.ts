// Lets TypeScript accept imports of CSS files, which the bundler resolves.

declare module '*.css'
