CREATE TABLE "otp_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "otp_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"target" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE INDEX "otp_messages_target" ON "otp_messages" USING btree ("target","id");
CREATE INDEX "otp_messages_created_at" ON "otp_messages" USING btree ("created_at");
