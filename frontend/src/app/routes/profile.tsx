import { ProfilePage } from "@/features/profile/ProfilePage";

export const Component = ProfilePage;
