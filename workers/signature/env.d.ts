// Types of the variables and bindings of the Worker signature. Written by npm run types from wrangler.toml.
interface __BaseEnv_SignatureEnv {
	FILES: R2Bucket;
	DB: D1Database;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Meter";
	}
	interface Env extends __BaseEnv_SignatureEnv {}
}
interface SignatureEnv extends __BaseEnv_SignatureEnv {}
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
