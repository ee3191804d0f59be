CREATE TABLE "bus_circuits" (
	"collection" bigint NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"failures" bigint NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"probe_at" timestamp (3) with time zone NOT NULL,
	"probing_until" timestamp (3) with time zone,
	CONSTRAINT "bus_circuits_collection_origin_pk" PRIMARY KEY("collection","origin")
);

CREATE INDEX "bus_circuits_probing" ON "bus_circuits" USING btree ("probing_until");
