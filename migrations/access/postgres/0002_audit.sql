CREATE TABLE "access_audit_days" (
	"date" text COLLATE "C" NOT NULL,
	"component" text COLLATE "C" NOT NULL,
	CONSTRAINT "access_audit_days_date_component_pk" PRIMARY KEY("date","component")
);

