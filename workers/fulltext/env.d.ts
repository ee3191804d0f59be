// Types of the variables and bindings of the Worker fulltext. Written by npm run types from wrangler.toml.
interface __BaseEnv_FulltextEnv {
	HEAD: DurableObjectNamespace<import("./index").Head>;
	SHARD: DurableObjectNamespace<import("./index").Shard>;
	CATALOG: DurableObjectNamespace<import("./index").Catalog>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Head" | "Shard" | "Catalog" | "Meter";
	}
	interface Env extends __BaseEnv_FulltextEnv {}
}
interface FulltextEnv extends __BaseEnv_FulltextEnv {}
declare module "*.txt" {
	const value: string;
	export default value;
}
declare module "*.html" {
	const value: string;
	export default value;
}
declare module "*.sql" {
	const value: string;
	export default value;
}
declare module "*.bin" {
	const value: ArrayBuffer;
	export default value;
}
declare module "*.wasm" {
	const value: WebAssembly.Module;
	export default value;
}
declare module "*.wasm?module" {
	const value: WebAssembly.Module;
	export default value;
}
