CREATE TABLE "access_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"text" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

