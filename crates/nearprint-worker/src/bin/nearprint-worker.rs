//! The worker: reads documents for a host that has reason not to read them itself. Nothing else lives here.

#[global_allocator]
static ALLOCATOR: nearprint_worker::ExitingAllocator = nearprint_worker::ExitingAllocator;

fn main() {
    nearprint_worker::serve(nearprint_extract::extract)
}
