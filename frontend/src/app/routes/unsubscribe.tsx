import { UnsubscribePage } from "@/features/notices/UnsubscribePage";

export const Component = UnsubscribePage;
