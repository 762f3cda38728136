//! Tables written by the Apache project's own library, and what is made of them.

mod copies;
mod damage;
mod memory;
mod results;
mod rows;
mod stretches;
mod table_forms;
