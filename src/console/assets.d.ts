// Lets TypeScript accept imports of CSS files, which only the bundler understands.

declare module '*.css'
