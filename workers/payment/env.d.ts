// Types of the variables and bindings of the Worker payment. Written by npm run types from wrangler.toml.
interface __BaseEnv_PaymentEnv {
	DB: D1Database;
	RATE_LIMIT: RateLimit;
	WEBHOOK: DurableObjectNamespace<import("./index").Webhook>;
	DISPATCHER: DurableObjectNamespace<import("./index").Dispatcher>;
	LOG_QUOTA: DurableObjectNamespace<import("./index").LogQuota>;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Webhook" | "Dispatcher" | "LogQuota" | "Meter" | "FirstReply";
	}
	interface Env extends __BaseEnv_PaymentEnv {}
}
interface PaymentEnv extends __BaseEnv_PaymentEnv {}
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
