CREATE TABLE "media_items" (
	"digest" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"extension" text COLLATE "C" NOT NULL,
	"mimetype" text COLLATE "C" NOT NULL,
	"charset" text COLLATE "C",
	"size" bigint NOT NULL,
	"width" bigint,
	"height" bigint,
	"orientation" bigint,
	"max_dimension" bigint,
	"duration" double precision,
	"state" text COLLATE "C" NOT NULL,
	"failure" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "media_traces" (
	"digest" text COLLATE "C" PRIMARY KEY NOT NULL,
	"upload" text COLLATE "C",
	"due_at" timestamp (3) with time zone NOT NULL
);

CREATE INDEX "media_items_state" ON "media_items" USING btree ("state","updated_at");
CREATE INDEX "media_traces_due_at" ON "media_traces" USING btree ("due_at");
