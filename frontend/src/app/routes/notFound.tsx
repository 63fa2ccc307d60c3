import { NotFoundPage } from "@/features/pages/NotFoundPage";

export const Component = NotFoundPage;
