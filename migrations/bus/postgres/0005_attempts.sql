CREATE TABLE "bus_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bus_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection" bigint NOT NULL,
	"document" bigint NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"attempt" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" bigint NOT NULL,
	"status" bigint,
	"error" text COLLATE "C",
	"headers" text COLLATE "C",
	"body" text COLLATE "C"
);

CREATE INDEX "bus_attempts_document" ON "bus_attempts" USING btree ("collection","document","target");
