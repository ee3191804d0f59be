// Types of the variables and bindings of the Worker otp. Written by npm run types from wrangler.toml.
interface __BaseEnv_OtpEnv {
	DB: D1Database;
	OTP_SECRET: string;
	LIMITER: DurableObjectNamespace<import("./index").Limiter>;
	GUARD: DurableObjectNamespace<import("./index").Guard>;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
	QUEUE: Fetcher /* queue */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Limiter" | "Guard" | "FirstReply" | "Meter";
	}
	interface Env extends __BaseEnv_OtpEnv {}
}
interface OtpEnv extends __BaseEnv_OtpEnv {}
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
