// Types of the variables and bindings of the Worker catcher. Written by npm run types from wrangler.toml.
interface __BaseEnv_CatcherEnv {
	RATE_LIMIT: RateLimit;
	SPACE: DurableObjectNamespace<import("./index").Space>;
	CAPTURE_QUOTA: DurableObjectNamespace<import("./index").CaptureQuota>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Space" | "Meter" | "CaptureQuota";
	}
	interface Env extends __BaseEnv_CatcherEnv {}
}
interface CatcherEnv extends __BaseEnv_CatcherEnv {}
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
