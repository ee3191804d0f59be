CREATE TABLE "signature_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "signature_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"document" text COLLATE "C" NOT NULL,
	"thread" text COLLATE "C" NOT NULL,
	"version" bigint NOT NULL,
	"save" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "signature_versions" (
	"record_id" bigint NOT NULL,
	"version" bigint NOT NULL,
	"format" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C",
	"object" text COLLATE "C",
	"size" bigint NOT NULL,
	"signers" text COLLATE "C" NOT NULL,
	"tags" text COLLATE "C" NOT NULL,
	"version_created_by" text COLLATE "C" NOT NULL,
	"version_created_at" timestamp (3) with time zone NOT NULL,
	"version_comment" text COLLATE "C" NOT NULL,
	CONSTRAINT "signature_versions_record_id_version_pk" PRIMARY KEY("record_id","version")
);

CREATE TABLE "signature_tags" (
	"record_id" bigint NOT NULL,
	"tag" text COLLATE "C" NOT NULL,
	"document" text COLLATE "C" NOT NULL,
	CONSTRAINT "signature_tags_record_id_tag_pk" PRIMARY KEY("record_id","tag")
);

CREATE TABLE "signature_traces" (
	"object" text COLLATE "C" PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);

CREATE UNIQUE INDEX "signature_records_document_thread" ON "signature_records" USING btree ("document","thread");
CREATE INDEX "signature_records_document" ON "signature_records" USING btree ("document","id");
CREATE INDEX "signature_records_document_version" ON "signature_records" USING btree ("document","version","id");
CREATE INDEX "signature_records_thread" ON "signature_records" USING btree ("thread","id");
CREATE INDEX "signature_records_version" ON "signature_records" USING btree ("version","id");
CREATE INDEX "signature_tags_tag" ON "signature_tags" USING btree ("tag","record_id");
CREATE INDEX "signature_tags_document" ON "signature_tags" USING btree ("document","tag","record_id");
CREATE INDEX "signature_traces_due_at" ON "signature_traces" USING btree ("due_at");
