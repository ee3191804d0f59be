CREATE TABLE "bus_clients" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bus_clients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text COLLATE "C" NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"is_admin" boolean NOT NULL,
	"is_disabled" boolean NOT NULL,
	"description" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "bus_collections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bus_collections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"handler" text COLLATE "C",
	"is_disabled" boolean NOT NULL,
	"description" text COLLATE "C",
	"is_ready" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "bus_accesses" (
	"client" text COLLATE "C" NOT NULL,
	"collection" text COLLATE "C" NOT NULL,
	"level" text COLLATE "C" NOT NULL,
	CONSTRAINT "bus_accesses_client_collection_pk" PRIMARY KEY("client","collection")
);

CREATE TABLE "bus_changes" (
	"position" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"collection" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"is_deleted" boolean NOT NULL,
	CONSTRAINT "bus_changes_kind_client_collection_pk" PRIMARY KEY("kind","client","collection")
);

CREATE TABLE "bus_settings" (
	"name" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "bus_settings_name_pk" PRIMARY KEY("name")
);

CREATE TABLE "bus_peers" (
	"url" text COLLATE "C" NOT NULL,
	"instance" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	CONSTRAINT "bus_peers_url_pk" PRIMARY KEY("url")
);

CREATE TABLE "bus_blocked" (
	"name" text COLLATE "C" NOT NULL,
	"secret_hash" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C" NOT NULL,
	CONSTRAINT "bus_blocked_name_pk" PRIMARY KEY("name")
);

CREATE UNIQUE INDEX "bus_clients_name" ON "bus_clients" USING btree ("name");
CREATE UNIQUE INDEX "bus_clients_secret" ON "bus_clients" USING btree ("secret_hash");
CREATE UNIQUE INDEX "bus_collections_name" ON "bus_collections" USING btree ("name");
CREATE UNIQUE INDEX "bus_changes_position" ON "bus_changes" USING btree ("position");
