import { ListState, type ListStateProps } from "@/ui/ListState";
import { Panel } from "@/ui/Panel";

interface ListPanelProps<Row> extends ListStateProps<Row> {
  title: string;
}

/** A panel around one list from the server. */
export function ListPanel<Row>({ title, ...list }: ListPanelProps<Row>) {
  return (
    <Panel title={title}>
      <ListState {...list} />
    </Panel>
  );
}
