/**
 * A service binding to a class that this Worker exports. A binding in `wrangler.toml` would refer to the Worker itself, and the
 * first deployment would fail. The cast is needed since the generated types do not know which Worker this is.
 */
export const ownService = <T extends Rpc.WorkerEntrypointBranded>(ctx: object, name: string): Service<T> =>
  (ctx as { exports: Record<string, Service<T>> }).exports[name]!
