declare namespace App {
  interface Locals {
    digest?: string;
  }
}
