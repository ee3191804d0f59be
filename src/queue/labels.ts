// Labels of tasks: texts by which tasks can be found, in an index that triggers keep equal to the rows of the tasks.

/**
 * Migration that adds the labels of a task, as a JSON array or NULL, and a table with one row per label and task. Triggers
 * write this table, so that no code that inserts or deletes tasks can forget it. A task without labels costs nothing.
 */
export const addLabels = `
ALTER TABLE tasks ADD COLUMN labels TEXT;
CREATE TABLE task_labels (label TEXT NOT NULL, task INTEGER NOT NULL, PRIMARY KEY (label, task)) WITHOUT ROWID;
CREATE TRIGGER tasks_labeled AFTER INSERT ON tasks WHEN NEW.labels IS NOT NULL BEGIN
  INSERT INTO task_labels SELECT value, NEW.id FROM json_each(NEW.labels);
END;
CREATE TRIGGER tasks_unlabeled AFTER DELETE ON tasks WHEN OLD.labels IS NOT NULL BEGIN
  DELETE FROM task_labels WHERE task = OLD.id AND label IN (SELECT value FROM json_each(OLD.labels));
END;
`

/** The labels in the form in which a row stores them: without duplicates, NULL if there are none. */
export const storedLabels = (labels: readonly string[] | undefined): string | null =>
  labels && labels.length > 0 ? JSON.stringify([...new Set(labels)]) : null

/** The labels of a row. */
export const labelsOf = ({ labels }: { labels: string | null }): string[] =>
  labels === null ? [] : (JSON.parse(labels) as string[])
