// Types of the variables and bindings of the Worker pdf. Written by npm run types from wrangler.toml.
interface __BaseEnv_PdfEnv {
	CACHE: R2Bucket;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
	CHROMIUM_CONTAINER: Fetcher /* chromium-container */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Meter";
	}
	interface Env extends __BaseEnv_PdfEnv {}
}
interface PdfEnv extends __BaseEnv_PdfEnv {}
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
