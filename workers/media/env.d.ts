// Types of the variables and bindings of the Worker media. Written by npm run types from wrangler.toml.
interface __BaseEnv_MediaEnv {
	FILES: R2Bucket;
	DB: D1Database;
	RATE_LIMIT: RateLimit;
	RENDITIONS: DurableObjectNamespace<import("./index").Renditions>;
	VIDEO_JOB: DurableObjectNamespace<import("./index").VideoJob>;
	TUS_UPLOAD: DurableObjectNamespace<import("./index").TusUpload>;
	FIRST_REPLY: DurableObjectNamespace<import("./index").FirstReply>;
	METER: DurableObjectNamespace<import("./index").Meter>;
	ACCESS: Fetcher /* access */;
	MEDIA_CONTAINER: Fetcher /* media-container */;
}
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./index");
		durableNamespaces: "Renditions" | "VideoJob" | "TusUpload" | "Meter" | "FirstReply";
	}
	interface Env extends __BaseEnv_MediaEnv {}
}
interface MediaEnv extends __BaseEnv_MediaEnv {}
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
