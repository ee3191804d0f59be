CREATE INDEX `bus_circuits_probe_at` ON `bus_circuits` (`probe_at`);
