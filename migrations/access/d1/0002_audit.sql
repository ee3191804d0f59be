CREATE TABLE `access_audit_days` (
	`date` text NOT NULL,
	`component` text NOT NULL,
	PRIMARY KEY(`date`, `component`)
);

